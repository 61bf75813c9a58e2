"""HTTP code shared by the pages and the API: failures, proxies, ETags, compression and assets."""
