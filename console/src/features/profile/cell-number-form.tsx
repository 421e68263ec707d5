import { useState } from "react";
import { TextField } from "../../form/text-field.tsx";
import { useSession } from "../../session/session.ts";
import { warn } from "../../ui/notify.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { useProfileForm } from "./use-profile-form.ts";

/** Most digits of a mobile number. (spec 2 §9) */
const longest = 11;

/** /cellNumber: takes digits only, and says so where something else was typed or pasted. (spec 2 §5) */
export const CellNumberForm = () => {
  const [number, setNumber] = useState(useSession().user.cellNumber);
  const state = useProfileForm();
  const change = (typed: string) => {
    const digits = typed.replace(/\D/g, "");
    if (digits !== typed) warn("Enter the number");
    setNumber(digits.slice(0, longest));
  };
  return (
    <ProfileForm title="Mobile number" state={state}>
      <TextField
        {...state.form.field("cellNumber")}
        label="Mobile number"
        description="Digits only, 10 or 11"
        value={number}
        onChange={(event) => change(event.currentTarget.value)}
        inputMode="numeric"
        autoComplete="tel-national"
      />
    </ProfileForm>
  );
};
