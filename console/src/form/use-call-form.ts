import type { Calls, Input } from "@telltale/contract/call/call";
import { type FormEvent, useRef, useState } from "react";
import { z } from "zod";
import { goToField } from "./go-to-field.ts";

type Body<C extends Calls[string]> = NonNullable<C["body"]>;
type Fields = Record<string, FormDataEntryValue>;
type Errors = Readonly<Record<string, string>>;

/** The first error of each field. */
const validationErrors = (error: z.ZodError): Errors => {
  const errors: Record<string, string> = {};
  for (const { path, message } of error.issues) errors[String(path[0] ?? "")] ??= message;
  return errors;
};

/** The first invalid field in document order that can be focused. */
const firstWrong = (form: HTMLFormElement, errors: Errors): HTMLElement | undefined =>
  [...form.elements].find(
    (element): element is HTMLInputElement =>
      element instanceof HTMLInputElement &&
      element.type !== "hidden" &&
      errors[element.dataset.field ?? element.name] !== undefined,
  );

export interface CallForm {
  /** Props of the `form` element. */
  props: { ref: React.RefObject<HTMLFormElement | null>; noValidate: true; onSubmit: (event: FormEvent) => void };
  /** Props of a field: its name and its error. */
  field: (name: string) => { name: string; error: string | undefined; onInput: () => void };
  errors: Errors;
  /** Shows an error of the server at a field and focuses it. */
  complain: (name: string, message: string) => void;
  /** Clears the errors. */
  clear: () => void;
}

/**
 * A form with the fields of one call, validated by the call's declaration, so that the specification's messages are defined in one place. Field
 * values are read from the DOM on submit, whether they were typed, pasted or filled in by a password manager. The first invalid field is focused;
 * where a hidden field holds the value, as for a Select, the visible one names it with `data-field`. `shape` converts the fields' texts to the
 * values of a JSON body.
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
      // Only calls without a query have forms: the body fields are the whole input.
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
