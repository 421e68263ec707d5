import { useDisclosure } from "@mantine/hooks";
import { IconDownload, IconHistory } from "@tabler/icons-react";
import { type ReactNode, Suspense } from "react";
import { useSession } from "../../session/session.ts";
import { Button } from "../../ui/control/button.tsx";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import { Link } from "../../ui/router/link.tsx";
import classes from "./download-buttons.module.css";

const DownloadDialog = lazyWithRetry(() => import("./download-dialog.tsx"), "DownloadDialog");

/** 'Download data' with its dialog and the link to the history, for accounts that may download. */
export const DownloadButtons = (): ReactNode => {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { can } = useSession();
  if (!can("downloads.read")) return null;
  return (
    <div className={classes.buttons}>
      <Button
        leftSection={<IconDownload size={17} aria-hidden />}
        onPointerEnter={DownloadDialog.preload}
        onClick={open}
      >
        Download data
      </Button>
      <Button
        variant="default"
        component={Link}
        to="/devicesHistory"
        leftSection={<IconHistory size={17} aria-hidden />}
      >
        Download history
      </Button>
      <Suspense>
        <DownloadDialog isOpen={isOpen} onClose={close} />
      </Suspense>
    </div>
  );
};
