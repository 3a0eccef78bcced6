import { render } from 'preact';
import { App } from './app.js';
import { beginSession } from './api/session.js';
import { reloadAfterBuild } from './reload.js';
import './styles/base.css';
import './styles/frame.css';
import './styles/controls.css';
import './styles/call.css';
import './styles/pages.css';

const root = document.getElementById('app');
if (root) render(<App />, root);
void beginSession();
if (RELOADS) reloadAfterBuild();
