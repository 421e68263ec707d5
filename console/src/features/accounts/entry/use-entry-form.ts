import { useMutation } from "@tanstack/react-query";
import type { Calls, Input, Result } from "@telltale/contract/call/call";
import type { CallError } from "@telltale/contract/call/client";
import { commonPassword } from "@telltale/contract/domains/people/person-fields";
import type { ReactNode } from "react";
import { validationError } from "../../../form/text-field.tsx";
import { type CallForm, useCallForm } from "../../../form/use-call-form.ts";
import { client } from "../../../session/client.ts";
import classes from "./entry-fields.module.css";

type AnyCall = Calls[string];

export interface EntryForm {
  /** Props of the `form` element. */
  props: CallForm["props"] & { className: string | undefined; method: "post"; onInput: () => void };
  /** Props of a field: its name and its error. */
  field: (name: string) => { name: string; error: ReactNode; onInput: () => void };
  errors: CallForm["errors"];
  /** The server's error for the form as a whole, until a field changes. */
  refusal: CallError | null;
  isPending: boolean;
}

/** Name of the password field of a call that sets a password. */
const passwordField = (call: AnyCall): string => (call.body && "newPwd" in call.body.shape ? "newPwd" : "password");

/** A form for one call before sign-in: validated field by field, sent, with the server's error above its button. */
export const useEntryForm = <C extends AnyCall>(
  call: C,
  onDone: (result: Result<C>, input: Partial<Input<C>>) => void,
): EntryForm => {
  const send = useMutation<Result<C>, CallError, Partial<Input<C>>>({
    mutationFn: (input) => client(call, input),
    onSuccess: onDone,
    onError: (error) => {
      if (error.message === commonPassword) form.complain(passwordField(call), commonPassword);
    },
  });
  const form = useCallForm(call, (input: Input<C>) => send.mutate(input));
  return {
    props: { ...form.props, className: classes.form, method: "post", onInput: () => send.isError && send.reset() },
    field: (name) => {
      const { error, ...props } = form.field(name);
      return { ...props, error: validationError(error) };
    },
    errors: form.errors,
    refusal: send.error?.message === commonPassword ? null : send.error,
    isPending: send.isPending || send.isSuccess,
  };
};
