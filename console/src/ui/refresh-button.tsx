import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";

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
