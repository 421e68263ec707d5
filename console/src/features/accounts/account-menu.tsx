import { Suspense, startTransition, useCallback, useRef, useState } from "react";
import { lazyPart } from "../../ui/load-part.ts";
import { AccountButton } from "./account-button.tsx";
import { SignOutDialog } from "./sign-out-dialog.tsx";

/** Not part of the first screen: fetched when somebody reaches for the button. */
const AccountDropdown = lazyPart(() => import("./account-dropdown.tsx"), "AccountDropdown");

/** Who is signed in as what; opens the user's other accounts, the way to a new one, and the way out. */
export const AccountMenu = ({ onCreateAccount }: { onCreateAccount: () => void }) => {
  const [isWanted, setWanted] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const hadFocus = useRef(false);

  // The first button stays until the dropdown has loaded; then the focus moves to the one that takes its place.
  // Only a whole click may ask for that: a button replaced while it is held down would never be clicked.
  const open = () => {
    setOpen(true);
    startTransition(() => setWanted(true));
  };
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
            onPointerEnter={AccountDropdown.preload}
            onFocus={() => {
              hadFocus.current = true;
              AccountDropdown.preload();
            }}
            onBlur={() => {
              hadFocus.current = false;
            }}
            onClick={open}
          />
        )}
      </Suspense>
      <SignOutDialog isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
};
