import { Suspense } from "react";
import { Support } from "../../features/support/support.tsx";
import { lazyPart } from "../../ui/load-part.ts";

const FirmwarePanel = lazyPart(() => import("../../features/firmware/firmware-panel.tsx"), "FirmwarePanel");

const firmware = (
  <Suspense>
    <FirmwarePanel />
  </Suspense>
);

/** /support: reading material, contacts and downloads. (spec 2 §2) */
export const SupportScreen = ({ tab }: { tab: string | undefined }) => <Support tab={tab} firmware={firmware} />;
