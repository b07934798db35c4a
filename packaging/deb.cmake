# SPDX-License-Identifier: AGPL-3.0-or-later
# For cpack, from script/package, which has put together what is installed and says the rest in the environment.
set(CPACK_GENERATOR DEB)
set(CPACK_CMAKE_GENERATOR Ninja)
set(CPACK_INSTALL_CMAKE_PROJECTS "")
set(CPACK_INSTALLED_DIRECTORIES "$ENV{STAGE}" /)
set(CPACK_PACKAGE_NAME dunlin)
set(CPACK_PACKAGE_VENDOR Dunlin)
set(CPACK_PACKAGE_VERSION "$ENV{PACKAGE_VERSION}")
set(CPACK_PACKAGE_DIRECTORY "$ENV{OUT}")
set(CPACK_PACKAGE_FILE_NAME "dunlin_$ENV{PACKAGE_VERSION}_$ENV{ARCHITECTURE}")
set(CPACK_PACKAGING_INSTALL_PREFIX /)
set(CPACK_SET_DESTDIR OFF)
set(CPACK_PACKAGE_CONTACT "$ENV{MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "social server for the fediverse")
set(CPACK_PACKAGE_DESCRIPTION
"Dunlin serves a site of the social web: it federates over ActivityPub,
speaks the client API of Mastodon, so that its apps work unchanged, and
brings a web client along. It keeps everything in SQLite or in PostgreSQL
and is at home on a small machine.")
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE "$ENV{ARCHITECTURE}")
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "$ENV{DEPENDS}")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "$ENV{RECOMMENDS}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE "$ENV{COMPRESSION}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  "$ENV{PACKAGING}/debian/postinst;$ENV{PACKAGING}/debian/prerm;$ENV{PACKAGING}/debian/postrm;$ENV{CONFFILES}")
