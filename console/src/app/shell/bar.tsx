import { Link } from "@tanstack/react-router";
import { AccountMenu } from "../../features/accounts/account-menu.tsx";
import { useSession } from "../../session/session.ts";
import { useUnconfirmed } from "../../session/use-unconfirmed.ts";
import { Mark } from "../../ui/mark.tsx";
import classes from "./bar.module.css";
import { LiveIndicator } from "./live-indicator.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";
import { UnconfirmedChip } from "./unconfirmed-chip.tsx";
import { useNewlyLit } from "./use-newly-lit.ts";

/** The bar above everything, overlays too: the master lamp is never covered. */
export const Bar = () => {
  const { isAdmin } = useSession();
  const { alerts, label } = useUnconfirmed();
  const isNew = useNewlyLit(alerts);
  const isLit = alerts.length > 0;
  return (
    <header className={classes.bar}>
      <Link to="/" className={classes.brand} aria-label={isLit ? `Telltale, ${label} unconfirmed` : "Telltale"}>
        <Mark size={26} isLit={isLit} isNew={isNew} />
        <span className={classes.word}>Telltale</span>
      </Link>
      <UnconfirmedChip />
      <div className={classes.right}>
        {isAdmin && <span className={classes.readOnly}>Read-only support view</span>}
        <LiveIndicator />
        <ThemeSwitch />
        <AccountMenu />
      </div>
    </header>
  );
};
