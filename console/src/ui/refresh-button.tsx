import { IconRefresh } from "@tabler/icons-react";
import { Button } from "./control/button.tsx";

/** Reloads the data on screen. */
export const RefreshButton = ({ onRefresh }: { onRefresh: () => void }) => (
  <Button
    variant="default"
    size="xs"
    leftSection={<IconRefresh size={16} aria-hidden />}
    onClick={onRefresh}
    data-shortcut="refresh"
  >
    Refresh
  </Button>
);
