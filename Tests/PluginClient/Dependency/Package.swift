// swift-tools-version: 6.1
import PackageDescription

/// A package with managed classes and a model of its own, as a shared model layer is.
let package = Package(
    name: "Catalogue",
    products: [.library(name: "Catalogue", targets: ["Catalogue"])],
    dependencies: [.package(name: "OpenCoreData", path: "../../..")],
    targets: [
        .target(
            name: "Catalogue",
            dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            plugins: [.plugin(name: "CoreDataPlugin", package: "OpenCoreData")])
    ],
    swiftLanguageModes: [.v6]
)
