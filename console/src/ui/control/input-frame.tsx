import { type ComponentProps, Fragment, type ReactNode, useId } from "react";
import { joined } from "./button.tsx";
import classes from "./input.module.css";

/** Parts around an input that a screen gives a look of its own. */
type Part = "root" | "label" | "description" | "input" | "section" | "error";

type Place = "label" | "description" | "input" | "error";

/** What is around an input. */
export interface InputLook {
  label?: ReactNode;
  description?: ReactNode;
  /** The sentence below; `true` marks the input only. */
  error?: ReactNode;
  /** Marks the label with an asterisk. */
  required?: boolean | undefined;
  size?: "xs" | undefined;
  leftSection?: ReactNode;
  rightSection?: ReactNode;
  /** In pixels. */
  rightSectionWidth?: number | undefined;
  /** By default a click goes through a section on the right to the input. */
  rightSectionPointerEvents?: "all" | "none" | undefined;
  inputWrapperOrder?: readonly Place[] | undefined;
  classNames?: Readonly<Partial<Record<Part, string | undefined>>> | undefined;
  className?: string | undefined;
  id?: string | undefined;
  "aria-describedby"?: string | undefined;
}

/** What the input itself gets. */
export interface InputParts {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
  "data-error": true | undefined;
}

const usual: readonly Place[] = ["label", "description", "input", "error"];

/** Label, description, sections and error around an input. The classes `mantine-…` are those of Mantine's fields, beside which it stands in forms. */
export const InputFrame = (props: InputLook & { children: (parts: InputParts) => ReactNode }): ReactNode => {
  const { label, description, error, required, size, leftSection, rightSection, rightSectionWidth } = props;
  const { inputWrapperOrder: order = usual, classNames = {}, className, children } = props;
  const own = useId();
  const id = props.id ?? own;
  const hasSentence = Boolean(error) && error !== true;
  const ids = { label: `${id}-label`, description: `${id}-description`, error: `${id}-error` };
  const describedBy = joined(
    hasSentence && order.includes("error") ? ids.error : undefined,
    description ? ids.description : undefined,
    props["aria-describedby"],
  );
  const isBeside = (places: readonly Place[]) =>
    (description && places.includes("description")) || (hasSentence && places.includes("error")) || undefined;
  const at = order.indexOf("input");
  const parts: Record<Place, ReactNode> = {
    label: label && (
      <label id={ids.label} htmlFor={id} className={joined(classes.label, classNames.label)}>
        {label}
        {required && (
          <span className={classes.asterisk} aria-hidden>
            {" *"}
          </span>
        )}
      </label>
    ),
    description: description && (
      <p
        id={ids.description}
        className={joined("mantine-InputWrapper-description", classes.description, classNames.description)}
      >
        {description}
      </p>
    ),
    input: (
      <div
        className={classes.wrapper}
        style={
          rightSectionWidth === undefined ? undefined : { "--input-right-section-width": `${rightSectionWidth}px` }
        }
        data-size={size}
        data-error={error ? true : undefined}
        data-above={isBeside(order.slice(0, at)) ? true : undefined}
        data-below={isBeside(order.slice(at + 1)) ? true : undefined}
        data-with-left-section={leftSection ? true : undefined}
        data-with-right-section={rightSection ? true : undefined}
      >
        {leftSection && (
          <div className={joined(classes.section, classNames.section)} data-position="left">
            {leftSection}
          </div>
        )}
        {children({
          id,
          "aria-describedby": describedBy || undefined,
          "aria-invalid": error ? true : undefined,
          "data-error": error ? true : undefined,
        })}
        {rightSection && (
          <div
            className={joined(classes.section, classNames.section)}
            data-position="right"
            data-live={props.rightSectionPointerEvents === "all" || undefined}
          >
            {rightSection}
          </div>
        )}
      </div>
    ),
    error: hasSentence && (
      <p id={ids.error} className={joined("mantine-InputWrapper-error", classes.error, classNames.error)}>
        {error}
      </p>
    ),
  };
  return (
    <div className={joined("mantine-InputWrapper-root", classes.root, classNames.root, className)}>
      {order.map((place) => (
        <Fragment key={place}>{parts[place]}</Fragment>
      ))}
    </div>
  );
};

/** What an input takes: what is around it, and the properties of the element. */
export type FramedInputProps = InputLook & Omit<ComponentProps<"input">, keyof InputLook>;

/** Separates what is for the frame from what is for the input. */
export const splitLook = (
  props: FramedInputProps,
): { look: InputLook; rest: Omit<ComponentProps<"input">, keyof InputLook> } => {
  const { label, description, error, required, size, leftSection, rightSection, rightSectionWidth, ...others } = props;
  const { rightSectionPointerEvents, inputWrapperOrder, classNames, className, id, ...more } = others;
  const { "aria-describedby": describedBy, ...rest } = more;
  const sections = { leftSection, rightSection, rightSectionWidth, rightSectionPointerEvents };
  const look = { label, description, error, required, size, inputWrapperOrder, classNames, className, id, ...sections };
  return { look: { ...look, "aria-describedby": describedBy }, rest };
};
