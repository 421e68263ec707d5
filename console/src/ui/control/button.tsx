import type { ComponentProps, ElementType, ReactNode } from "react";
import classes from "./button.module.css";
import { Loader } from "./loader.tsx";

/** Own properties, beside those of the element or component that is rendered. */
export type Polymorphic<C extends ElementType, Own> = Own & { component?: C } & Omit<
    ComponentProps<C>,
    keyof Own | "component"
  >;

interface ButtonLook {
  /** Filled with the accent by default; `ink` for confirmations. */
  variant?: "filled" | "default" | "ink" | undefined;
  size?: "xs" | "sm" | "compact-xs" | "compact-sm" | undefined;
  /** An icon before the text. */
  leftSection?: ReactNode;
  /** As wide as its place. */
  fullWidth?: boolean | undefined;
  /** Its action runs: it cannot be pressed and shows that it works. */
  loading?: boolean | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
  children?: ReactNode;
}

/** Joins class names. */
export const joined = (...names: readonly (string | undefined)[]): string => names.filter(Boolean).join(" ");

/** A button; `component={Link}` makes it a link that looks like one. */
export const Button = <C extends ElementType = "button">(props: Polymorphic<C, ButtonLook>): ReactNode => {
  const {
    component: Element = "button",
    variant,
    size,
    leftSection,
    fullWidth,
    loading,
    disabled,
    className,
    children,
    ...rest
  } = props as Polymorphic<"button", ButtonLook>;
  const isOff = disabled || loading;
  return (
    <Element
      {...(Element === "button" && { type: "button", disabled: isOff })}
      {...rest}
      className={joined("mantine-focus-auto", isOff ? undefined : "mantine-active", classes.button, className)}
      data-variant={variant}
      data-size={size}
      data-block={fullWidth || undefined}
      data-disabled={disabled || undefined}
      data-loading={loading || undefined}
      data-with-section={leftSection ? true : undefined}
    >
      {loading && (
        <span className={classes.busy} aria-hidden>
          <Loader size="calc(var(--button-height) / 1.8)" />
        </span>
      )}
      <span className={classes.inner}>
        {leftSection && <span className={classes.section}>{leftSection}</span>}
        <span className={classes.label}>{children}</span>
      </span>
    </Element>
  );
};
