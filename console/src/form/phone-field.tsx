import { useState } from "react";
import { warn } from "../ui/notify.tsx";
import { TextField } from "./text-field.tsx";

/** Most digits of a mobile number. (spec 2 §9) */
const longest = 11;

interface PhoneFieldProps {
  field: { name: string; error: string | undefined; onInput: () => void };
  label: string;
  description: string;
  /** What stands in it at first. */
  initial: string;
}

/** A mobile number: takes digits only, and says so where something else was typed or pasted. (spec 2 §5) */
export const PhoneField = ({ field, label, description, initial }: PhoneFieldProps) => {
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
      autoComplete="tel-national"
    />
  );
};
