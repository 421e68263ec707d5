import { Checkbox } from "@mantine/core";
import { entryLink } from "../entry/entry-fields.tsx";
import type { EntryForm } from "../entry/use-entry-form.ts";
import classes from "./terms-field.module.css";

/** Opens a new tab, so that the form's input is kept. */
const Text = ({ address, children }: { address: string; children: string }) => (
  <a className={entryLink} href={address} target="_blank" rel="noopener">
    {children}
  </a>
);

/** Links to what a user agrees with. */
export const Terms = () => (
  <>
    <Text address="/agreement?type=1">Terms of Use</Text> and <Text address="/agreement?type=2">Privacy Policy</Text>
  </>
);

/** The mandatory terms checkbox. An empty hidden field is submitted with it, so that an unticked box is validated. */
export const TermsField = ({ field }: { field: ReturnType<EntryForm["field"]> }) => (
  <>
    <input type="hidden" name={field.name} value="" />
    <Checkbox
      {...field}
      value="1"
      classNames={classes}
      label={
        <>
          I agree with <Terms />
        </>
      }
    />
  </>
);
