import { IconChevronDown } from "@tabler/icons-react";
import { type ComponentProps, Suspense, startTransition, useCallback, useRef, useState } from "react";
import { initials } from "../../../domain/alerts/initials.ts";
import { useSession } from "../../../session/session.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
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

/** Asks for confirmation before the session ends. (spec 1 §8) */
const SignOutDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const { signOut } = useSession();
  const [isBusy, setBusy] = useState(false);
  const confirm = () => {
    setBusy(true);
    void signOut();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Sign out"
      action="Sign out"
      onConfirm={confirm}
      isBusy={isBusy}
    >
      Are you sure you want to sign out?
    </ConfirmDialog>
  );
};

/** Not part of the initial bundle: fetched when the user reaches for the button. */
const AccountDropdown = lazyWithRetry(() => import("./account-dropdown.tsx"), "AccountDropdown");

/** Shows the signed-in user; opens the other accounts, the dialog for a new one, and Sign out. */
export const AccountMenu = ({ onCreateAccount }: { onCreateAccount: () => void }) => {
  const [isWanted, setWanted] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
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
      <SignOutDialog isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
};
