"""HTTP code shared by pages and API: failures, proxies, ETags, compression and assets."""
