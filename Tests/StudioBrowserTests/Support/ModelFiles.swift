#if Studio
import Foundation

/// Models that stories put into their folder, as Xcode writes them.
enum ModelFiles {
    /// Writes a package with one version. Returns its name.
    ///
    /// - Parameter elements: What stands in the model, each on lines of its own.
    static func write(_ name: String, _ elements: String, in folder: URL) throws -> [String] {
        let version = folder.appendingPathComponent("\(name).xcdatamodeld/\(name).xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try contents(elements).write(
            to: version.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
        return ["\(name).xcdatamodeld"]
    }

    static func contents(_ elements: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" \
        systemVersion="22G120" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        \(elements)
        </model>
        """
    }
}
#endif
