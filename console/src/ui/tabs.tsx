import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

interface Tab {
  name: string;
  content: () => ComponentChildren;
}

/** Tabs as WAI-ARIA describes them: arrows move between them, Tab goes into what is shown. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const move = (step: number): void => {
    const next = (chosen + step + tabs.length) % tabs.length;
    setChosen(next);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div>
      <div
        class="tabs"
        role="tablist"
        aria-label={label}
        ref={list}
        onKeyDown={({ key }) => {
          if (key === 'ArrowRight') move(1);
          if (key === 'ArrowLeft') move(-1);
        }}
      >
        {tabs.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === chosen}
            aria-controls={index === chosen ? `${id}-panel` : undefined}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${chosen}`} tabIndex={0}>
        {tabs[chosen]?.content()}
      </div>
    </div>
  );
}
