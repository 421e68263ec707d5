import { lazy, Suspense, startTransition, useCallback, useRef, useState } from "react";
import { AccountButton } from "./account-button.tsx";
import { SignOutDialog } from "./sign-out-dialog.tsx";

/** Loaded when somebody reaches for it, not with the first screen. */
const AccountDropdown = lazy(async () => ({ default: (await import("./account-dropdown.tsx")).AccountDropdown }));

/** Who is signed in as what; opens the user's other accounts, the way to a new one, and the way out. */
export const AccountMenu = ({ onCreateAccount }: { onCreateAccount: () => void }) => {
  const [isWanted, setWanted] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const hadFocus = useRef(false);

  // The old button stays until the dropdown has loaded; then the focus moves to the one that takes its place.
  const reach = () => startTransition(() => setWanted(true));
  const takeFocus = useCallback((button: HTMLButtonElement | null) => {
    if (hadFocus.current) button?.focus();
    hadFocus.current = false;
  }, []);
  return (
    <>
      <Suspense>
        {isWanted ? (
          <AccountDropdown
            isOpen={isOpen}
            onChange={setOpen}
            onSignOut={() => setAsking(true)}
            onCreateAccount={onCreateAccount}
          >
            <AccountButton ref={takeFocus} />
          </AccountDropdown>
        ) : (
          <AccountButton
            aria-expanded={isOpen}
            onPointerEnter={reach}
            onFocus={() => {
              hadFocus.current = true;
              reach();
            }}
            onBlur={() => {
              hadFocus.current = false;
            }}
            onClick={() => {
              setOpen(true);
              reach();
            }}
          />
        )}
      </Suspense>
      <SignOutDialog isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
};
