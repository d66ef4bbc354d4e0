// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "CoreDataNotes",
    dependencies: [.package(name: "OpenCoreData", path: Context.environment["OPENCOREDATA"] ?? "../../..")],
    targets: [
        .executableTarget(
            name: "Notes",
            dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            plugins: [.plugin(name: "CoreDataPlugin", package: "OpenCoreData")])
    ]
)
