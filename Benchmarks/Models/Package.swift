// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that the other benchmarks need no Swift parser.
let package = Package(
    name: "Models",
    dependencies: [.package(name: "OpenCoreData", path: "../..", traits: ["SwiftData"])],
    targets: [
        .target(name: "Heap"),
        .executableTarget(
            name: "ModelBenchmarks",
            dependencies: [
                "Heap",
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "SwiftData", package: "OpenCoreData"),
            ],
            swiftSettings: [.enableUpcomingFeature("ExistentialAny")]),
    ],
    swiftLanguageModes: [.v6]
)
