import { AccountMenu } from "../../features/accounts/account-menu.tsx";
import { useSession } from "../../session/session.ts";
import { useNewAccount } from "../use-new-account.tsx";
import classes from "./bar.module.css";
import { Brand } from "./brand.tsx";
import { LiveIndicator } from "./live-indicator.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";
import { UnconfirmedChip } from "./unconfirmed-chip.tsx";

/** The bar above everything, overlays too: the master lamp is never covered. */
export const Bar = () => {
  const { isAdmin } = useSession();
  const newAccount = useNewAccount();
  return (
    <header className={classes.bar} data-crowded={isAdmin || undefined}>
      <Brand />
      <UnconfirmedChip />
      <div className={classes.right}>
        {isAdmin && <span className={classes.readOnly}>Read-only support view</span>}
        <LiveIndicator />
        <div className={classes.theme}>
          <ThemeSwitch />
        </div>
        <AccountMenu onCreateAccount={newAccount.ask} />
      </div>
      {newAccount.dialog}
    </header>
  );
};
