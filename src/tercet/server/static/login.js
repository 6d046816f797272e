import { api, at, themed } from "./page.js";

themed();
at("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  const [name, password] = [at("name").value, at("password").value];
  try {
    await api("/api/login", { name, password });
    location.assign("/dashboard");
  } catch (error) {
    at("told").textContent = `${error.message} ${error.hint}`;
  }
});
