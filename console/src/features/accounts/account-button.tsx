import { IconChevronDown } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import { useSession } from "../../session/session.ts";
import classes from "./account-button.module.css";
import { accountName, initials } from "./account-text.ts";

/** Who is signed in as what: photo or initials, role and alias, e-mail. */
export const AccountButton = (props: ComponentProps<"button">) => {
  const { user, account } = useSession();
  const name = accountName(account);
  return (
    <button {...props} type="button" className={classes.button} aria-haspopup="menu">
      {user.avatar ? (
        <img className={classes.avatar} src={user.avatar} alt="" />
      ) : (
        <span className={classes.avatar} aria-hidden="true">
          {initials(user)}
        </span>
      )}
      <span className={classes.who}>
        <b>{name}</b>
        <span>{user.email}</span>
      </span>
      <IconChevronDown className={classes.chevron} size={18} stroke={1.6} aria-hidden />
    </button>
  );
};
