import { Menu } from "@mantine/core";
import { IconCheck, IconEye, IconKeyboard, IconLogout, IconPlus, IconUser } from "@tabler/icons-react";
import type { AccountRow } from "@telltale/contract/domains/people/accounts";
import { type ReactNode, useState } from "react";
import { useSoundSwitch } from "../../../domain/alerts/sound-switch.ts";
import { useSession } from "../../../session/session.ts";
import { Loader } from "../../../ui/control/loader.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { useCloseOnBack } from "../../../ui/router/hooks.ts";
import { Link } from "../../../ui/router/link.tsx";
import classes from "./account-dropdown.module.css";
import { accountName, inviter } from "./account-text.ts";
import { useAccountChange } from "./use-account-change.ts";

interface AccountEntryProps {
  account: AccountRow;
  /** Being switched to. */
  isChosen: boolean;
  onChoose: () => void;
}

const AccountEntry = ({ account, isChosen, onChoose }: AccountEntryProps) => {
  const isCurrent = account.isShow === 1;
  return (
    <Menu.Item
      className={isCurrent ? classes.current : classes.account}
      leftSection={
        isCurrent ? <IconCheck size={17} stroke={2.2} aria-hidden /> : <i>{isChosen && <Loader size={17} />}</i>
      }
      aria-current={isCurrent || undefined}
      aria-busy={isChosen || undefined}
      closeMenuOnClick={isCurrent}
      onClick={isCurrent ? undefined : onChoose}
    >
      <b>{accountName(account)}</b>
      <small>{isCurrent ? `${account.accountNo}, current` : inviter(account)}</small>
    </Menu.Item>
  );
};

/** Whether alerts sound in this browser. The click that switches it on also lets the browser play sound. */
const SoundEntry = () => {
  const [isOn, setOn] = useSoundSwitch();
  return (
    <Menu.CheckboxItem
      className={classes.action}
      checked={isOn}
      onChange={setOn}
      checkIcon={<IconCheck size={17} stroke={2.2} aria-hidden />}
      rightSection={<span className={classes.state}>{isOn ? "On" : "Off"}</span>}
      closeMenuOnClick={false}
    >
      Sound in this browser
    </Menu.CheckboxItem>
  );
};

interface AccountDropdownProps {
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  onSignOut: () => void;
  onCreateAccount: () => void;
  /** The button that opens it. */
  children: ReactNode;
}

/** The user's accounts to switch to, and Sign out. */
export const AccountDropdown = ({ isOpen, onChange, onSignOut, onCreateAccount, children }: AccountDropdownProps) => {
  const { user, can } = useSession();
  const { changing, change } = useAccountChange();
  useCloseOnBack(isOpen, () => onChange(false));
  return (
    <Menu
      opened={isOpen}
      onChange={onChange}
      position="bottom-end"
      width={336}
      offset={8}
      zIndex={310}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>
        <Menu.Label className={classes.label}>Accounts</Menu.Label>
        {user.accounts.map((each) => (
          <AccountEntry
            key={each.accountId}
            account={each}
            isChosen={changing === each.accountId}
            onChoose={() => void change(each.accountId)}
          />
        ))}
        {can("accounts.create") && (
          <Menu.Item
            className={classes.action}
            leftSection={<IconPlus size={17} stroke={1.6} aria-hidden />}
            onClick={onCreateAccount}
          >
            Create a new admin account
          </Menu.Item>
        )}
        <Menu.Divider className={classes.divider} />
        <Menu.Item
          component={Link}
          to="/profilePhoto"
          className={classes.action}
          leftSection={<IconUser size={17} stroke={1.6} aria-hidden />}
        >
          Profile
        </Menu.Item>
        <Menu.Item
          component={Link}
          to="/personal"
          className={classes.action}
          leftSection={<IconEye size={17} stroke={1.6} aria-hidden />}
        >
          Watchlist
        </Menu.Item>
        <Menu.Item
          component={Link}
          to="/keyboard"
          className={classes.action}
          leftSection={<IconKeyboard size={17} stroke={1.6} aria-hidden />}
        >
          Keyboard shortcuts
        </Menu.Item>
        {can("alerts.read") && <SoundEntry />}
        <Menu.Item
          className={classes.action}
          leftSection={<IconLogout size={17} stroke={1.6} aria-hidden />}
          onClick={onSignOut}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

/** Asks for confirmation before the session ends. (spec 1 §8) */
export const SignOutDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
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
