import { useState } from "react";
import { warn } from "../ui/dialog/messages.ts";
import { TextField } from "./text-field.tsx";

/** Maximum digits of a user's own number. (spec 2 §9) */
const longestOwn = 11;

interface PhoneFieldProps {
  field: { name: string; error: string | undefined; onInput: () => void };
  label: string;
  description: string;
  /** The initial value. */
  initial: string;
  /** Maximum digits. */
  longest?: number;
  autoComplete?: string;
}

/** A mobile number field: accepts digits only, and shows an error when something else was typed or pasted. (spec 2 §5) */
export const PhoneField = ({
  field,
  label,
  description,
  initial,
  longest = longestOwn,
  autoComplete = "tel-national",
}: PhoneFieldProps) => {
  const [number, setNumber] = useState(initial);
  const change = (typed: string) => {
    const digits = typed.replace(/\D/g, "");
    if (digits !== typed) warn("Enter the number");
    setNumber(digits.slice(0, longest));
  };
  return (
    <TextField
      {...field}
      label={label}
      description={description}
      value={number}
      onChange={(event) => change(event.currentTarget.value)}
      inputMode="numeric"
      autoComplete={autoComplete}
    />
  );
};
