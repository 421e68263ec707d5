import { Suspense } from "react";
import { Support } from "../../features/support/support.tsx";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";

const FirmwarePanel = lazyWithRetry(() => import("../../features/firmware/firmware-panel.tsx"), "FirmwarePanel");

const firmware = (
  <Suspense>
    <FirmwarePanel />
  </Suspense>
);

/** /support: reading material, contacts and downloads. (spec 2 §2) */
export const SupportScreen = ({ tab }: { tab: string | undefined }) => <Support tab={tab} firmware={firmware} />;
