document.title = "carom";
