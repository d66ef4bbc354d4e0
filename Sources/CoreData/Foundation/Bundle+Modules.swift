public import Foundation

extension Bundle {
    /// The bundle with the resources of the class's module: the folder that the build makes for its target,
    /// beside the program.
    ///
    /// Where there is none, the bundle of the class's code, which on Linux is the program's. An addition to
    /// Foundation; sources that are ported have it in the place of `Bundle(for:)`.
    public convenience init(of aClass: AnyClass) {
        let module = String(reflecting: aClass).prefix { $0 != "." }
        if let folder = ModelFiles.resourceFolder(of: String(module)), Bundle(url: folder) != nil {
            self.init(url: folder)!
        } else {
            self.init(for: aClass)
        }
    }
}
