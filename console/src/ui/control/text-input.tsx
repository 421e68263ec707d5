import type { ReactNode } from "react";
import { joined } from "./button.tsx";
import classes from "./input.module.css";
import { type FramedInputProps, InputFrame, splitLook } from "./input-frame.tsx";

/** A single-line text input. */
export const TextInput = (props: FramedInputProps): ReactNode => {
  const { look, rest } = splitLook(props);
  return (
    <InputFrame {...look}>
      {(parts) => (
        <input
          type="text"
          {...rest}
          {...parts}
          required={look.required}
          className={joined(classes.input, look.classNames?.input)}
        />
      )}
    </InputFrame>
  );
};
