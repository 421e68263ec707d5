import { SelectField } from "../../form/select-field.tsx";
import { typeLabels } from "./user-types.ts";

const options = Object.entries(typeLabels).map(([value, label]) => ({ value, label }));

interface TypeFieldProps {
  field: { name: string; error?: string | undefined; onInput?: () => void };
  /** The initial selection. */
  initial: number | undefined;
  isFixed?: boolean;
  description?: string;
}

/** The user type. */
export const TypeField = ({ field, initial, isFixed, description }: TypeFieldProps) => (
  <SelectField
    {...field}
    label="Type"
    placeholder="Select a type"
    description={description}
    data={options}
    defaultValue={initial === undefined ? null : String(initial)}
    disabled={isFixed ?? false}
  />
);
