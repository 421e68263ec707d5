import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useState } from "react";
import { joined } from "./button.tsx";
import classes from "./input.module.css";
import { type FramedInputProps, InputFrame, splitLook } from "./input-frame.tsx";

export interface PasswordInputProps extends Omit<FramedInputProps, "rightSection" | "size" | "type"> {
  /** Of the input inside the frame that also holds its button. */
  innerClass?: string | undefined;
}

/** The button that reveals a password. It leaves the focus in the input, and is reachable by keyboard. */
const Reveal = ({ isShown, onToggle, disabled }: { isShown: boolean; onToggle: () => void; disabled?: boolean }) => {
  const toggle = (event: SyntheticEvent) => {
    event.preventDefault();
    onToggle();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === " " || event.key === "Enter") toggle(event);
  };
  const EyeIcon = isShown ? IconEye : IconEyeOff;
  return (
    <button
      type="button"
      className={joined("mantine-focus-auto mantine-active", classes.reveal)}
      disabled={disabled}
      aria-pressed={isShown}
      aria-label="Show password"
      onTouchEnd={toggle}
      onMouseDown={toggle}
      onKeyDown={onKeyDown}
    >
      <EyeIcon size={18} aria-hidden />
    </button>
  );
};

/** An input for a password, with the button that reveals it. */
export const PasswordInput = ({ innerClass, ...props }: PasswordInputProps): ReactNode => {
  const [isShown, setShown] = useState(false);
  const { look, rest } = splitLook(props);
  const reveal = <Reveal isShown={isShown} onToggle={() => setShown(!isShown)} disabled={rest.disabled ?? false} />;
  return (
    <InputFrame {...look} rightSection={reveal} rightSectionPointerEvents="all">
      {({ "data-error": isWrong, ...parts }) => (
        <div className={joined(classes.input, classes.frame, look.classNames?.input)} data-error={isWrong}>
          <input
            autoComplete="off"
            {...rest}
            {...parts}
            required={look.required}
            type={isShown ? "text" : "password"}
            className={joined(classes.inner, innerClass)}
          />
        </div>
      )}
    </InputFrame>
  );
};
