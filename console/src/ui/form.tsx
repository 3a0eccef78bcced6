// Fields of forms: each with its label, a hint, and what the service said is wrong with it.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  wrong?: string | undefined;
  class?: string;
  hiddenLabel?: boolean;
}

interface TextProps extends FieldProps {
  value: string;
  onInput: (value: string) => void;
  type?: string;
  placeholder?: string;
  required?: boolean;
  disabled?: boolean;
  autocomplete?: string;
  min?: string;
  max?: string;
  list?: string;
}

function Frame({
  label,
  hint,
  wrong,
  class: className = '',
  hiddenLabel = false,
  id,
  children,
}: FieldProps & { id: string; children: ComponentChildren }) {
  return (
    <div class={`field ${className}`}>
      <label for={id} class={hiddenLabel ? 'hidden-label' : ''}>
        {label}
      </label>
      {children}
      {wrong !== undefined && (
        <span class="wrong" id={`${id}-wrong`}>
          {wrong}
        </span>
      )}
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

function described(id: string, { hint, wrong }: FieldProps) {
  const ids = [wrong !== undefined && `${id}-wrong`, hint !== undefined && `${id}-hint`].filter(Boolean);
  return {
    id,
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
    'aria-invalid': wrong === undefined ? undefined : ('true' as const),
  };
}

export function TextField(props: TextProps) {
  const id = useId();
  const {
    value,
    onInput,
    type = 'text',
    placeholder,
    required,
    disabled,
    autocomplete,
    min,
    max,
    list,
  } = props;
  return (
    <Frame {...props} id={id}>
      <input
        {...described(id, props)}
        {...{ type, value, placeholder, required, disabled, min, max, list }}
        autocomplete={autocomplete ?? 'off'}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Frame>
  );
}

export function TextArea(props: TextProps & { rows?: number; code?: boolean }) {
  const id = useId();
  const { value, onInput, placeholder, required, disabled, rows = 4, code = false } = props;
  return (
    <Frame {...props} id={id}>
      <textarea
        {...described(id, props)}
        {...{ value, placeholder, required, disabled, rows }}
        class={code ? 'code' : ''}
        spellcheck={!code}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Frame>
  );
}

interface SelectProps extends FieldProps {
  value: string;
  onInput: (value: string) => void;
  /** Value and name of each choice. */
  choices: [string, string][];
  disabled?: boolean;
}

export function SelectField(props: SelectProps) {
  const id = useId();
  const { value, onInput, choices, disabled } = props;
  const isListed = choices.some(([choice]) => choice === value);
  return (
    <Frame {...props} id={id}>
      <select
        {...described(id, props)}
        disabled={disabled}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      >
        {!isListed && <option value={value}>{value === '' ? 'Choose …' : value}</option>}
        {choices.map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </select>
    </Frame>
  );
}

export function CheckField({
  label,
  checked,
  onInput,
  disabled,
}: {
  label: string;
  checked: boolean;
  onInput: (checked: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onInput={(event) => onInput(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
