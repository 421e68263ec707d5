import { IconPlugConnected } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useSession } from "../session/session.ts";
import { Button } from "../ui/control/button.tsx";
import { Link } from "../ui/router/link.tsx";

/** Link to the joint controls, for accounts that may open them. */
export const JointLink = (): ReactNode =>
  useSession().can("joint.read") && (
    <Button
      component={Link}
      to="/joint"
      variant="default"
      size="xs"
      leftSection={<IconPlugConnected size={16} aria-hidden />}
    >
      Joint control
    </Button>
  );
