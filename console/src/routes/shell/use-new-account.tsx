import { type ReactNode, Suspense, useState } from "react";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";

const AddDeviceDialog = lazyWithRetry(
  () => import("../../features/devices/add/add-device-dialog.tsx"),
  "AddDeviceDialog",
);

/** '+ Create a new admin account': `ask` opens the dialog, `dialog` can be rendered anywhere on the page. */
export const useNewAccount = (): { ask: () => void; dialog: ReactNode } => {
  const [isCreating, setCreating] = useState(false);
  return {
    ask: () => setCreating(true),
    dialog: isCreating && (
      <Suspense>
        <AddDeviceDialog purpose="account" isOpen onClose={() => setCreating(false)} />
      </Suspense>
    ),
  };
};
