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
import { lazyRouteComponent } from "@tanstack/react-router";
import type { Page } from "./page.ts";

/** A page of the member's own account. A support view may look at all of them. */
const memberPage = (path: string, title: string, icon: Icon, screen: Page["screen"]): Page => ({
  path,
  title,
  needs: "session",
  menu: { label: title, icon },
  menuKind: "member",
  screen,
});

/** The account screens, in the order of their menu. (spec 1 §2) */
export const memberPages: readonly Page[] = [
  memberPage(
    "/profilePhoto",
    "Profile photo",
    IconPhoto,
    lazyRouteComponent(() => import("../features/profile/photo-form.tsx"), "PhotoForm"),
  ),
  memberPage(
    "/company",
    "Company",
    IconBuilding,
    lazyRouteComponent(() => import("../features/profile/company-form.tsx"), "CompanyForm"),
  ),
  memberPage(
    "/industry",
    "Industry",
    IconBuildingFactory2,
    lazyRouteComponent(() => import("../features/profile/industry-form.tsx"), "IndustryForm"),
  ),
  memberPage(
    "/name",
    "Name",
    IconUser,
    lazyRouteComponent(() => import("../features/profile/name-form.tsx"), "NameForm"),
  ),
  memberPage(
    "/alias",
    "Alias",
    IconTag,
    lazyRouteComponent(() => import("../features/profile/alias-form.tsx"), "AliasForm"),
  ),
  memberPage(
    "/cellNumber",
    "Mobile number",
    IconDeviceMobile,
    lazyRouteComponent(() => import("../features/profile/cell-number-form.tsx"), "CellNumberForm"),
  ),
  memberPage(
    "/changePassword",
    "Change password",
    IconLock,
    lazyRouteComponent(() => import("../features/profile/password-form.tsx"), "PasswordForm"),
  ),
  memberPage(
    "/secondFactor",
    "Two-step sign-in",
    IconShieldLock,
    lazyRouteComponent(() => import("../features/second-factor/second-factor.tsx"), "SecondFactor"),
  ),
  memberPage(
    "/signIns",
    "Sessions",
    IconDevices,
    lazyRouteComponent(() => import("../features/sign-ins/sign-ins.tsx"), "SignIns"),
  ),
  memberPage(
    "/associatedAccount",
    "Linked Accounts",
    IconAddressBook,
    lazyRouteComponent(() => import("./screens/associated-account-screen.tsx"), "AssociatedAccountScreen"),
  ),
];
