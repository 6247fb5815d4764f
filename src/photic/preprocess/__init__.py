"""From bytes to one row of a model's input. Alone imports the native module and Pillow."""

from photic.preprocess._native import ImageInfo, native_info
from photic.preprocess.preprocessor import Preprocessor

__all__ = ["ImageInfo", "Preprocessor", "native_info"]
