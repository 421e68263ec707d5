import { lazy, Suspense, useState } from "react";
import { AccountMenu } from "../../features/accounts/account-menu.tsx";
import { useSession } from "../../session/session.ts";
import classes from "./bar.module.css";
import { Brand } from "./brand.tsx";
import { LiveIndicator } from "./live-indicator.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";
import { UnconfirmedChip } from "./unconfirmed-chip.tsx";

const AddDeviceDialog = lazy(async () => ({
  default: (await import("../../features/dashboards/add-device/add-device-dialog.tsx")).AddDeviceDialog,
}));

/** The bar above everything, overlays too: the master lamp is never covered. */
export const Bar = () => {
  const { isAdmin } = useSession();
  const [isCreating, setCreating] = useState(false);
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
        <AccountMenu onCreateAccount={() => setCreating(true)} />
      </div>
      {isCreating && (
        <Suspense>
          <AddDeviceDialog purpose="account" isOpen onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </header>
  );
};
