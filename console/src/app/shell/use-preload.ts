import { useEffect } from "react";
import { pages } from "../pages.ts";

/** Long enough for the first screen to be there, in milliseconds. */
const later = 4000;

const preload = () =>
  Promise.all([
    ...pages.map(({ screen }) => screen.preload?.()),
    import("../../ui/modal-dialog.tsx"),
    import("../../features/accounts/account-dropdown.tsx"),
    import("./menu-sheet.tsx"),
    import("./member-menu.tsx"),
    import("./member-sheet.tsx"),
    // What can't be loaded now is loaded, or complains, when it is needed.
  ]).catch(() => undefined);

/** Fetches the other screens and the dialogs after the first screen, so that they open at once, also when the server is away. */
export const usePreload = (): void => {
  useEffect(() => {
    const timer = setTimeout(() => void preload(), later);
    return () => clearTimeout(timer);
  }, []);
};
