// Sets the theme that was chosen before, so early that nothing is painted yet. This file is not a module, because
// modules run later.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // In a browser that stores nothing, the page follows the theme of the system.
}
