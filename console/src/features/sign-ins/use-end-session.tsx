import { type SignInRow, signIns } from "@telltale/contract/sign-ins";
import { useAskedAction } from "../../form/use-asked-action.tsx";
import { browserName } from "../../format/browser.ts";
import { recent } from "../../format/time.ts";

/** Asks before a session elsewhere is ended: signing in again needs the password, at that place. */
export const useEndSession = () =>
  useAskedAction({
    call: signIns.end,
    inputOf: ({ signInId }: SignInRow) => ({ signInId }),
    invalidates: [signIns.list],
    success: "Signed out there",
    title: () => "Sign out there",
    action: () => "Sign out",
    question: ({ userAgent, address, usedTime }) => (
      <>
        Are you sure you want to sign out there?
        <p>
          <b>{browserName(userAgent)}</b>, {address}, last used {recent(usedTime)}. A screen that is open there goes to
          the login page.
        </p>
      </>
    ),
  });
