"""What all pages of the admin site share: the site, the layout of a page, row versions in forms, messages."""
