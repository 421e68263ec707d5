import {
  type Icon,
  IconAddressBook,
  IconBuilding,
  IconBuildingFactory2,
  IconDeviceMobile,
  IconDevices,
  IconLock,
  IconPhoto,
  IconShieldLock,
  IconTag,
  IconUser,
} from "@tabler/icons-react";
import { memberPages } from "../member-pages.ts";
import { useOpenPage } from "./telltale.tsx";
import type { MenuEntry } from "./use-menu.ts";

/** By the paths of the pages; here they load with the menu, not with the first screen. */
const icons: Readonly<Record<string, Icon>> = {
  "/profilePhoto": IconPhoto,
  "/company": IconBuilding,
  "/industry": IconBuildingFactory2,
  "/name": IconUser,
  "/alias": IconTag,
  "/cellNumber": IconDeviceMobile,
  "/changePassword": IconLock,
  "/secondFactor": IconShieldLock,
  "/signIns": IconDevices,
  "/associatedAccount": IconAddressBook,
};

/** The member-info menu: every account screen, whatever the role. */
export const useMemberMenu = (): readonly MenuEntry[] => {
  const open = useOpenPage();
  return memberPages.map(({ path, title }) => ({
    path,
    label: title,
    icon: icons[path] ?? IconUser,
    isTab: false,
    isOpen: path === open?.path,
  }));
};
