import { IconChevronDown } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import { initials } from "../../format/initials.ts";
import { useSession } from "../../session/session.ts";
import { Avatar } from "../../ui/avatar.tsx";
import classes from "./account-button.module.css";
import { accountName } from "./account-text.ts";

/** Who is signed in as what: photo or initials, role and alias, e-mail. */
export const AccountButton = (props: ComponentProps<"button">) => {
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
