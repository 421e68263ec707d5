import { Checkbox } from "@mantine/core";
import { entryLink } from "./entry-fields.tsx";
import classes from "./terms-field.module.css";
import type { EntryForm } from "./use-entry-form.ts";

/** A new tab, so that what was typed stays. */
const Text = ({ address, children }: { address: string; children: string }) => (
  <a className={entryLink} href={address} target="_blank" rel="noopener">
    {children}
  </a>
);

/** The box without which nobody becomes a user. An empty field goes along, so that leaving it open is noticed. */
export const TermsField = ({ field }: { field: ReturnType<EntryForm["field"]> }) => (
  <>
    <input type="hidden" name={field.name} value="" />
    <Checkbox
      {...field}
      value="1"
      classNames={classes}
      label={
        <>
          I agree with <Text address="/agreement?type=1">Terms of Use</Text> and{" "}
          <Text address="/agreement?type=2">Privacy Policy</Text>
        </>
      }
    />
  </>
);
