import { IconChevronDown } from "@tabler/icons-react";
import { type ComponentProps, Suspense, startTransition, useCallback, useRef, useState } from "react";
import { initials } from "../../../domain/alerts/initials.ts";
import { useSession } from "../../../session/session.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { lazyWithRetry } from "../../../ui/load-with-retry.ts";
import classes from "./account-button.module.css";
import { accountName } from "./account-text.ts";

/** The signed-in user: photo or initials, role and alias, e-mail. */
const AccountButton = (props: ComponentProps<"button">) => {
  const { user, account } = useSession();
  const name = accountName(account);
  return (
    <button {...props} type="button" className={classes.button} aria-haspopup="menu">
      <Avatar src={user.avatar} initials={initials(user)} size={32} />
      <span className={classes.who}>
        <b>{name}</b>
        <span>{user.email}</span>
      </span>
      <IconChevronDown className={classes.chevron} size={18} stroke={1.6} aria-hidden />
    </button>
  );
};

/** Not part of the initial bundle: fetched when the user reaches for the button. */
const load = () => import("./account-dropdown.tsx");
const AccountDropdown = lazyWithRetry(load, "AccountDropdown");
const SignOutDialog = lazyWithRetry(load, "SignOutDialog");

/** Shows the signed-in user; opens the other accounts, the dialog for a new one, and Sign out. */
export const AccountMenu = ({ onCreateAccount }: { onCreateAccount: () => void }) => {
  const [isWanted, setWanted] = useState(false);
  const [isOpen, setOpen] = useState(false);
  /** Undefined until it is asked; it is kept while it fades out. */
  const [isAsking, setAsking] = useState<boolean>();
  const hadFocus = useRef(false);

  // The first button stays until the dropdown has loaded; then the focus moves to its replacement. Only a complete click may start this: a button
  // replaced while it is held down would never be clicked.
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
      <Suspense>
        {isAsking !== undefined && <SignOutDialog isOpen={isAsking} onClose={() => setAsking(false)} />}
      </Suspense>
    </>
  );
};
