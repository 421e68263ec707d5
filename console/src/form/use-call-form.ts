import type { Calls, Input } from "@telltale/contract/call/call";
import { type FormEvent, useRef, useState } from "react";
import { z } from "zod";
import { goToField } from "./go-to-field.ts";

type Body<C extends Calls[string]> = NonNullable<C["body"]>;
type Fields = Record<string, FormDataEntryValue>;
type Errors = Readonly<Record<string, string>>;

/** The first complaint of each field. */
const validationErrors = (error: z.ZodError): Errors => {
  const errors: Record<string, string> = {};
  for (const { path, message } of error.issues) errors[String(path[0] ?? "")] ??= message;
  return errors;
};

/** The first field, as they stand on screen, that is wrong and can have the focus. */
const firstWrong = (form: HTMLFormElement, errors: Errors): HTMLElement | undefined =>
  [...form.elements].find(
    (element): element is HTMLInputElement =>
      element instanceof HTMLInputElement &&
      element.type !== "hidden" &&
      errors[element.dataset.field ?? element.name] !== undefined,
  );

export interface CallForm {
  /** For the `form` element. */
  props: { ref: React.RefObject<HTMLFormElement | null>; noValidate: true; onSubmit: (event: FormEvent) => void };
  /** For a field: its name and what is wrong with it. */
  field: (name: string) => { name: string; error: string | undefined; onInput: () => void };
  errors: Errors;
  /** Says what the server has against a field, and goes there. */
  complain: (name: string, message: string) => void;
  /** Forgets the complaints. */
  clear: () => void;
}

/**
 * A form of a call's own fields, checked by the call's declaration, so that the specification's messages stand in
 * one place. What the browser holds in the fields is read on submit, however it came there: typed, pasted or filled
 * in by a password manager. The first field that is wrong gets the focus; where a hidden field holds the value, as that of
 * a Select does, the one on screen says whose it is with `data-field`. `shape` makes of the fields' texts what a JSON body has
 * in their place.
 */
export const useCallForm = <C extends Calls[string]>(
  call: C,
  onValid: (input: Input<C>) => void,
  shape: (fields: Fields) => Record<string, unknown> = (fields) => fields,
): CallForm => {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Errors>({});

  const show = (found: Errors) => {
    setErrors(found);
    if (ref.current) goToField(firstWrong(ref.current, found));
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const form = ref.current;
    if (!form || !call.body) return;
    const checked = z.safeParse<Body<C>>(call.body, shape(Object.fromEntries(new FormData(form))));
    if (checked.success) {
      setErrors({});
      // A form is one of a call without a query: the fields of its body are all that it takes.
      onValid(checked.data as Input<C>);
      return;
    }
    show(validationErrors(checked.error));
  };

  const forget = (name: string) => setErrors(({ [name]: _, ...others }) => others);
  return {
    props: { ref, noValidate: true, onSubmit },
    field: (name) => ({ name, error: errors[name], onInput: () => forget(name) }),
    errors,
    complain: (name, message) => show({ [name]: message }),
    clear: () => setErrors({}),
  };
};
