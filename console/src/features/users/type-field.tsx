import { Role, roleNames } from "@telltale/contract/permissions";
import { SelectField } from "../../form/select-field.tsx";
import { typeLabels } from "./user-types.ts";

const options = Object.entries(typeLabels).map(([value, label]) => ({ value, label }));
/** The type of a user who is an owner, to be kept. */
const owner = { value: String(Role.owner), label: roleNames[Role.owner] };

interface TypeFieldProps {
  field: { name: string; error?: string | undefined; onInput?: () => void };
  /** The initial selection. */
  initial: number | undefined;
  /** The user is an owner, and may stay one. */
  isOwner?: boolean;
  isFixed?: boolean;
  description?: string;
}

/** The user type. */
export const TypeField = ({ field, initial, isOwner, isFixed, description }: TypeFieldProps) => (
  <SelectField
    {...field}
    label="Type"
    placeholder="Select a type"
    description={description}
    data={isOwner ? [owner, ...options] : options}
    defaultValue={initial === undefined ? null : String(initial)}
    disabled={isFixed ?? false}
  />
);
