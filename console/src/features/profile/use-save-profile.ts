import { accounts } from "@telltale/contract/domains/people/accounts";
import { profile } from "@telltale/contract/domains/people/profile";
import { type AnyCall, useAction } from "../../session/use-call.ts";

/** Calls that show the user: header, menu, the account screens. */
const changed: AnyCall[] = [accounts.info];

/** Saves some fields of the profile; the header follows at once. The form shows errors. */
export const useSaveProfile = (onDone?: () => void) =>
  useAction(profile.update, {
    success: "Update successful",
    invalidates: changed,
    isQuiet: true,
    ...(onDone ? { onDone } : {}),
  });
