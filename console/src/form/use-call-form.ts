import type { Calls } from "@telltale/contract/call";
import { type FormEvent, useRef, useState } from "react";
import { z } from "zod";

type Body<C extends Calls[string]> = NonNullable<C["body"]>;
type Errors = Readonly<Record<string, string>>;

/** The first complaint of each field. */
const complaints = (error: z.ZodError): Errors => {
  const errors: Record<string, string> = {};
  for (const { path, message } of error.issues) errors[String(path[0] ?? "")] ??= message;
  return errors;
};

export interface CallForm {
  /** For the `form` element. */
  props: { ref: React.RefObject<HTMLFormElement | null>; noValidate: true; onSubmit: (event: FormEvent) => void };
  /** For a field: its name and what is wrong with it. */
  field: (name: string) => { name: string; error: string | undefined; onInput: () => void };
  errors: Errors;
}

/**
 * A form of a call's own fields, checked by the call's declaration, so that the specification's messages stand in
 * one place. What the browser holds in the fields is read on submit, however it came there: typed, pasted or filled
 * in by a password manager. The first field that is wrong gets the focus.
 */
export const useCallForm = <C extends Calls[string]>(
  call: C,
  onValid: (input: z.output<Body<C>>) => void,
): CallForm => {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Errors>({});

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const form = ref.current;
    if (!form || !call.body) return;
    const checked = z.safeDecode(call.body, Object.fromEntries(new FormData(form)) as never);
    if (checked.success) {
      setErrors({});
      onValid(checked.data as z.output<Body<C>>);
      return;
    }
    const found = complaints(checked.error);
    setErrors(found);
    const [first] = Object.keys(found);
    const element = first === undefined ? null : form.elements.namedItem(first);
    if (element instanceof HTMLElement) element.focus();
  };

  const clear = (name: string) => setErrors(({ [name]: _, ...others }) => others);
  return {
    props: { ref, noValidate: true, onSubmit },
    field: (name) => ({ name, error: errors[name], onInput: () => clear(name) }),
    errors,
  };
};
