import { api, at, themed, tried } from "./page.js";

themed();
at("login").addEventListener("submit", (event) => {
  event.preventDefault();
  tried(async () => {
    await api("/api/login", { name: at("name").value, password: at("password").value });
    location.assign("/dashboard");
  });
});
